import { fileURLToPath } from 'node:url'
import { exitCode } from './cli/exit-codes.ts'
import { runCommand } from './cli/run-command.ts'
import type { Terminal } from './cli/terminal.ts'

const ALIVE_MS = 60_000

/** One Ctrl-C reaches this process twice: from the terminal, and shortly afterwards from npm. */
const ECHO_MS = 500

const [command, ...args] = process.argv.slice(2)

const terminal: Terminal = {
  args,
  environment: process.env,
  directory: startedFrom(),
  input: process.stdin,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  /** The first signal lets requests finish; a later one ends the process at once. */
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

// Whoever reads the output may have seen enough, as head does.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exitCode('cut'))
  })
// Workers and timers of the service keep no process alive by themselves; a command that has not ended does.
const alive = setInterval(() => {}, ALIVE_MS)
process.exitCode = await runCommand(command, terminal)
clearInterval(alive)

/** npm runs its scripts in the folder of the project, and says in which directory it was started itself. */
function startedFrom(): string {
  const { INIT_CWD, npm_package_json } = process.env
  const ownScript = npm_package_json === fileURLToPath(new URL('../package.json', import.meta.url))
  return ownScript && INIT_CWD ? INIT_CWD : process.cwd()
}

/** npm sends its signals to the shell that runs this process, and the shell does not pass them on. An older Node.js can be killed. */
function stopWhenOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, ECHO_MS)
  timer.unref()
}
