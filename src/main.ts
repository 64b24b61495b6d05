import { fileURLToPath } from 'node:url'
import { exitCode } from './cli/exit-codes.ts'
import { runCommand } from './cli/run-command.ts'
import type { Terminal } from './cli/terminal.ts'

const ALIVE_MS = 60_000

/** The time in which a second signal is ignored: one Ctrl-C sends two, from the terminal and shortly afterwards from npm. */
const ECHO_MS = 500

const [command, ...args] = process.argv.slice(2)

const terminal: Terminal = {
  args,
  environment: process.env,
  directory: startedFrom(),
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  /** Calls `stop` on the first signal, so that requests can finish. A later signal ends the process at once. */
  onStop(stop) {
    let since = 0
    const ask = () => {
      if (since === 0) stop()
      else if (performance.now() - since > ECHO_MS) process.exit(exitCode('stopped'))
      since ||= performance.now()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask)
    if (process.env.npm_command || process.env.SHOPWRIGHT_STARTED_BY) stopWhenOrphaned(ask)
  },
}

// A reader such as `head` may close the pipe before all output is written.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exitCode('cut'))
  })
// The service's workers and timers are unreferenced, so this timer keeps the process alive until the command has ended.
const alive = setInterval(() => {}, ALIVE_MS)
process.exitCode = await runCommand(command, terminal)
clearInterval(alive)

/** Returns the directory in which the user started the command. npm runs scripts in another one, and keeps it in INIT_CWD. */
function startedFrom(): string {
  const { INIT_CWD, npm_package_json } = process.env
  const ownScript = npm_package_json === fileURLToPath(new URL('../package.json', import.meta.url))
  return ownScript && INIT_CWD ? INIT_CWD : process.cwd()
}

/** Stops when the parent process has ended: it may be npm's shell, which passes no signals on, or an older Node.js that was killed. */
function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, ECHO_MS)
  timer.unref()
}
