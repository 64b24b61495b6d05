import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/cli/run-command.ts'
import type { Ended, Environment } from './server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs one of the service's commands in this process, as `shopwright` of server.ts does in one of its own: for what does not depend
 * on the process. Nothing is read but this environment and `input`.
 */
export async function command(
  words: string[],
  environment: Environment,
  input = '',
  directory: string = ROOT,
): Promise<Ended> {
  const [name = 'start', ...args] = words
  let stdout = ''
  let stderr = ''
  const code = await runCommand(name, {
    args,
    environment,
    directory,
    input: Readable.from([input]),
    print(text) {
      stdout += `${text}\n`
    },
    complain(text) {
      stderr += `${text}\n`
    },
    onStop() {},
  })
  return { code, signal: null, stdout, stderr }
}
