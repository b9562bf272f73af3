# The action. Built and run as GitHub does it by `make image-test`; what it weighs and why it is made so: docs/container.md
FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285 AS base

FROM node:22-trixie-slim@sha256:7b8a0c89c54499bee567618f96578e1a12a800f062fbdbfd1fb6a443fa6f6284 AS node
RUN rm -rf /usr/local/lib/node_modules/npm/docs /usr/local/lib/node_modules/npm/man

# What is written in C. The compiler is the base's own, and stays behind.
FROM base AS native
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
COPY src/failsame/clock/build.py /failsame/clock/
COPY src/failsame/clock/native/ /failsame/clock/native/
COPY src/failsame/probes/node/native/ /failsame/probes/node/native/
RUN cd /failsame/clock && python3 -c "import build; build.build()" \
 && find /failsame -type f -not -path '*/native/build/*' -delete

# Failsame's own packages, uv among them; the packages of a project never meet these.
FROM base AS packages
RUN python3 -m venv --without-pip /opt/failsame
COPY requirements-image.txt /
RUN pip --python /opt/failsame/bin/python install --no-cache-dir --disable-pip-version-check \
        --only-binary :all: --require-hashes --no-deps -r /requirements-image.txt

FROM base AS source
COPY src/failsame/ /failsame/
COPY fixtures/python-batch/ /failsame/demo/
COPY examples/workflows/ /failsame/workflows/
# Times of files differ from build to build, so compiled code does not depend on them.
RUN rm -rf /failsame/clock/native /failsame/probes/node/native \
 && python3 -m compileall -q --invalidation-mode unchecked-hash \
        -s /failsame -p /opt/failsame/lib/python3.13/site-packages/failsame /failsame

FROM base
LABEL org.opencontainers.image.title="Failsame" \
      org.opencontainers.image.description="After the upgrade, your clients fail the same" \
      org.opencontainers.image.licenses="MIT"
# As whom clients and package managers run (src/failsame/confine/accounts.py). No USER: GitHub runs actions as root.
RUN for user in failsame-probes:59101 failsame-packages:59102; do \
        useradd --uid "${user#*:}" --user-group --no-create-home --home-dir /nonexistent \
            --shell /usr/sbin/nologin "${user%:*}"; \
    done \
 && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=node /usr/local/lib/node_modules/npm/ /usr/local/lib/node_modules/npm/
COPY --from=packages /opt/failsame/ /opt/failsame/
COPY --from=native /failsame/ /opt/failsame/lib/python3.13/site-packages/failsame/
COPY --from=source /failsame/ /opt/failsame/lib/python3.13/site-packages/failsame/
# -I: neither the working directory, which holds the pull request's files, nor the job's PYTHONPATH is imported from.
ENTRYPOINT ["/opt/failsame/bin/python", "-I", "-m", "failsame", "github"]
