// Fills the compile cache at NODE_COMPILE_CACHE with what a server loads, for images of containers: their file system is often
// closed to writing when they run.
await Promise.all([
  import('../src/app.ts'),
  import('../src/cli/run-command.ts'),
  import('../src/cli/start.ts'),
  import('../src/http/documented-pages.ts'),
  import('../src/mcp/endpoint/protocol-versions.ts'),
  import('../src/mcp/endpoint/server.ts'),
  import('../src/database/sqlite.ts'),
  import('../src/database/postgres.ts'),
])
process.exit()
