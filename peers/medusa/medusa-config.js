const { defineConfig } = require('@medusajs/framework/utils')

/** Without `redisUrl`, events, the cache, locks and workflows are in the memory of the process, which then is its own worker. */
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: 'http://localhost:8000',
      adminCors: 'http://localhost:9000',
      authCors: 'http://localhost:9000',
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  // The dashboard, which is files of its own.
  admin: { disable: true },
})
