#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for TypeScript still gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 15)) {
  // Later starts find their modules stripped and compiled: faster, and with less memory.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('../src/main.ts')
} else {
  console.error(
    `Shopwright needs Node.js 24.15 or newer to run, and this is ${process.versions.node}. ` +
      'Install the packages with npm ci (they bring a Node.js of their own) and use npm start, npm run exec or npm run token.',
  )
  process.exitCode = 1
}
