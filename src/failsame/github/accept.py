"""`failsame github accept`: turns a person's label, or a recording, into a pull request with baselines.

It holds rights, so it runs no code of the project, and checks nothing out. Who may, what is accepted, and whether the
pull request is still what was judged, it asks GitHub itself; the report it reads as a stranger's.
"""

from failsame.errors import ExitCode
from failsame.github.accepting import accept_label
from failsame.github.activity import Activity, activity
from failsame.github.ending import failures_told
from failsame.github.job import Job
from failsame.github.recorded import propose_recorded
from failsame.github.rerun import rerun


def accept(job: Job) -> ExitCode:
    """Do what the event asks for. Raises UsageError, UnmeasuredError, GitHubError where that cannot be."""
    with failures_told(job):
        what = activity("accept", job.settings.event, job.payload, accept_label=job.settings.accept_label)
        if what is Activity.ACCEPT:
            accept_label(job)
        elif what is Activity.PROPOSE:
            propose_recorded(job)
        elif what is Activity.RERUN:
            rerun(job)
        else:
            job.runner.say("Nothing to do: nothing was accepted here.")
    return ExitCode.SAME
