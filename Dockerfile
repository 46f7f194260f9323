# Quartermaster: the bot and the doctor, each bundled with its packages into one program.
#
#   docker build -t quartermaster .
#   docker run --read-only --env-file .env -p 3000:3000 -v quartermaster:/data quartermaster
#   docker run --read-only --env-file .env --rm quartermaster node dist/doctor.js
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
# Compiled code is only for the user who compiled it.
RUN chown node:node /app
USER node
COPY package.json package-lock.json manifest.yml ./
RUN npm ci --no-audit --no-fund
COPY src ./src
RUN npm run build

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# What the bot remembers is on the volume; nothing else is ever written.
ENV NODE_ENV=production DATABASE_URL=file:/data/quartermaster.db ERASURES_FILE=/data/erasures.ndjson \
    ERASURE_PROOFS_FILE=/data/erasure-proofs.key
# Freed memory goes back to the system: in two arenas instead of eight a core, without glibc raising its thresholds after a large block
# was freed, and with a mapping of its own for each read of 64 KB from a socket. Side by side, one read in use would keep many others.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_MMAP_THRESHOLD_=65536
# What `npm run build` compiled. A bot that cannot read it compiles its code at each start.
ENV NODE_COMPILE_CACHE=/app/dist/compile-cache
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY package.json ./
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
# Metrics, and events of agents on HOOKS_PORT, have ports of their own, which Slack never needs to reach.
EXPOSE 3000 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: the bot is process 1 and gets the SIGTERM on which it finishes what is running.
# Node lets garbage pile up to a share of what it may use at most, which by default is half of the machine's memory. Young garbage is
# also collected during a search for old garbage; otherwise it piles up to 40 MB. Between two such searches the heap grows by half.
# Otherwise it grows less in a process that rests between commands, and four replicas took up to half more processor time than one.
CMD ["node", "--max-old-space-size=1024", "--max-semi-space-size=8", "--no-separate-gc-phases", "--heap-growing-percent=50", "dist/main.js"]
