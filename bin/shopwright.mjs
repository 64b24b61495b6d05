#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for TypeScript still gets a sentence instead of a stack trace.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 15)) {
  giveMemoryBack()
  sayThatItStarts()
  await findModulesDirectly()
  await keepCompiledModules()
  await import('../src/main.ts')
} else if (!(await import('./own-node.mjs')).continueWithOwnNode()) {
  console.error(
    `Shopwright needs Node.js 24.15 or newer to run, and this is ${process.versions.node}. ` +
      'Install the packages with npm ci: they include their own Node.js.',
  )
  process.exitCode = 1
}

/**
 * A path from one module to another names a file, so Node.js need not look for it. That search takes a tenth of the processor time
 * of a start from the source.
 */
async function findModulesDirectly() {
  const { registerHooks } = await import('node:module')
  registerHooks({
    resolve(specifier, context, next) {
      const isPath = /^\.\.?\/.*\.(?:ts|js)$/.test(specifier) && context.conditions.includes('import')
      if (!isPath) return next(specifier, context)
      const url = new URL(specifier, context.parentURL).href
      return { url, shortCircuit: true, ...(url.endsWith('.ts') && { format: 'module-typescript' }) }
    },
  })
}

/** Later starts find their modules stripped and compiled, which saves four tenths of the processor time of a start from the source. */
async function keepCompiledModules() {
  const { enableCompileCache } = await import('node:module')
  const { existsSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { dirname, join } = await import('node:path')
  const directory = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'shopwright-modules')
  // Node.js tries for ever to make a directory in one that is not there, below /proc.
  if (existsSync(dirname(directory))) enableCompileCache(directory)
}

/** Loading the modules and preparing the data takes seconds, during which nothing else is said. */
function sayThatItStarts() {
  if (!isServer() || process.argv.length > 3) return
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const { env, pid } = process
  const line = { level: 'info', time: new Date().toISOString(), pid, hostname: hostname(), version }
  if (env.NODE_ENV?.trim() !== 'production')
    console.log(`Shopwright ${version} is starting. The first start takes several seconds.`)
  else if (env.LOG_LEVEL?.trim() !== 'silent') console.log(JSON.stringify({ ...line, msg: 'Shopwright is starting' }))
}

function isServer() {
  return process.argv[2] === 'start'
}

/**
 * The C library of Linux keeps large blocks once it has seen some freed, which costs an idle server a quarter of its memory.
 * Its settings are read as a process starts, so a server starts itself anew with them, as the same process.
 */
function giveMemoryBack() {
  const { argv, env, execArgv, execPath, platform } = process
  if (platform !== 'linux' || !isServer() || env.MALLOC_MMAP_THRESHOLD_ || !process.execve) return
  process.removeAllListeners('warning')
  const thresholds = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '131072' }
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...thresholds })
}
