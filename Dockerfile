# One image for every process: docker run IMAGE serve | project | start | any other command. Without one: the help.

# The Node that package.json pins, from the official image: its packages of Node itself (optional ones) stay out.
FROM node:26.10.0-trixie-slim AS packages
WORKDIR /catalog
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts && rm .npmrc package-lock.json
COPY LICENSE ./
COPY earlier earlier
COPY projections projections
COPY src src
# Whatever the umask of the machine that builds: everybody may read, nobody may write.
RUN chmod -R a+rX,a-w .

FROM node:26.10.0-trixie-slim
# Nothing that installs packages stays.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && install -d -m 700 -o 1000 -g 1000 /data
COPY --from=packages /catalog /catalog
WORKDIR /catalog
# In a container every address is listened on, so the sample, whose key is printed, has to be asked for.
ENV NODE_ENV=production CATALOG_DATA=/data CATALOG_SAMPLE=off \
    CATALOG_COMMAND="docker compose run --rm catalog"
# Memory that the threads of zlib and SQLite have given back is kept for them by the C library, for each apart: in two
# places instead of eight it is 30 MB less.
ENV MALLOC_ARENA_MAX=2
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 8080
ENTRYPOINT ["node", "src/main.mjs"]
CMD []
