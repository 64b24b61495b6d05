#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for TypeScript still gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 15)) {
  giveMemoryBack()
  // Later starts find their modules stripped and compiled: faster, and with less memory.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('../src/main.ts')
} else {
  console.error(
    `Shopwright needs Node.js 24.15 or newer to run, and this is ${process.versions.node}. ` +
      'Install the packages with npm ci (they bring a Node.js of their own) and use npm start, npm run account, ' +
      'npm run backup, npm run clock, npm run exec, npm run pay, npm run plans, npm run restore or npm run token.',
  )
  process.exitCode = 1
}

/**
 * The C library of Linux keeps large blocks once it has seen some freed, which costs an idle server a quarter of its memory.
 * Its settings are read as a process starts, so a server starts itself anew with them, as the same process.
 */
function giveMemoryBack() {
  const { argv, env, execArgv, execPath, platform } = process
  const isServer = (argv[2] ?? 'start') === 'start'
  if (platform !== 'linux' || !isServer || env.MALLOC_MMAP_THRESHOLD_ || !process.execve) return
  process.removeAllListeners('warning')
  const thresholds = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...thresholds })
}
