# The service with its console: Node, one bundle, no node_modules. docs/deploy/containers.md tells how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/apps/server/start.mjs /src/apps/server/kept-bundle.mjs apps/server/
COPY --from=build /src/apps/server/.bundle apps/server/.bundle
COPY --from=build /src/apps/console/dist apps/console/dist
COPY --from=build /src/docs docs
RUN install -d -o 1000 -g 1000 -m 700 /data

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--expose-gc", "apps/server/start.mjs"]
