"""GitHub's API, asked as its documentation asks."""

from failsame.github.api.client import Client
from failsame.github.api.model import Artifact, Comment, Commit, Comparison
from failsame.github.api.refusals import ForbiddenError, GitHubError
from failsame.github.api.repository import Repository

__all__ = ["Artifact", "Client", "Comment", "Commit", "Comparison", "ForbiddenError", "GitHubError", "Repository"]
