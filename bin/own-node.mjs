// Plain JavaScript of an old Node.js. The packages bring a Node.js of their own, which npm scripts use; whoever starts the
// command past npm, as systemd and cron do, may have another.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Set in what this process starts, so that it never starts itself again and again. */
const MARK = 'SHOPWRIGHT_STARTED_BY'
/** What supervisors and terminals send. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']

/**
 * Goes on with the Node.js of the packages: with the same arguments, input, output, directory and environment. Its end is the
 * end of this process. False when there is none for this machine, or when it has been tried.
 */
export function continueWithOwnNode() {
  const program = process.env[MARK] === undefined ? ownNode() : undefined
  if (program === undefined) return false
  const args = [...process.execArgv, ...process.argv.slice(1)]
  const env = { ...process.env, [MARK]: String(process.pid) }
  if (process.execve) process.execve(program, [program, ...args], env)
  const child = spawn(program, args, { env, stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${program} cannot be started: ${error.message}.`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => (signal ? endBy(signal) : process.exit(code)))
  return true
}

/** The program of the package for this machine. */
function ownNode() {
  const require = createRequire(import.meta.url)
  const { platform, arch } = process
  const name = platform === 'win32' ? 'node.exe' : 'node'
  for (const each of [`node-bin-${platform}-${arch}`, `node-${platform === 'win32' ? 'win' : platform}-${arch}`]) {
    try {
      const path = join(dirname(require.resolve(`${each}/package.json`)), 'bin', name)
      if (existsSync(path)) return path
    } catch {
      // That package is for another machine.
    }
  }
}

/** Ends as the child did, so that a shell or a supervisor sees the same. */
function endBy(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
