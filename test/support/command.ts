import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { COMMANDS, runCommand } from '../../src/cli/run-command.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { Ended, Environment } from './server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs one of the service's commands in this process, as `shopwright` of server.ts does in one of its own: for what does not depend
 * on the process. Nothing is read but this environment and `input`. `commands` are those of the build.
 */
export async function command(
  words: string[],
  environment: Environment,
  input = '',
  directory: string = ROOT,
  commands = COMMANDS,
): Promise<Ended> {
  const [name = 'start', ...args] = words
  let stdout = ''
  let stderr = ''
  const terminal: Terminal = {
    ...{ args, environment, directory },
    input: Readable.from([input]),
    print(text) {
      stdout += `${text}\n`
    },
    complain(text) {
      stderr += `${text}\n`
    },
    onStop() {},
  }
  const code = await runCommand(name, terminal, commands)
  return { code, signal: null, stdout, stderr }
}
