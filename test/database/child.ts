import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child {
  pid: number
  /** Kills the process with SIGKILL, and returns every line that it has printed. */
  kill(): Promise<string[]>
}

/**
 * Starts another process that opens the directory; it is ready when this resolves. With `write` it then inserts items from
 * many tasks at once and prints the id of each after it was acknowledged.
 */
export async function startChild(directory: string, mode: 'hold' | 'write' = 'hold', prefix = ''): Promise<Child> {
  const script = fileURLToPath(new URL('./child-main.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory, mode, prefix], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await Promise.race([once(child.stdout, 'data'), ended])
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    return printed.split('\n').slice(1, -1)
  }
  return { pid: child.pid!, kill }
}
