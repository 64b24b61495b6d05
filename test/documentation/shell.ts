import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** A byte that no command prints, after the last one. */
const END = '\0'

/** One bash for many commands: to start a process takes the worker, which has much memory, longer than most commands do. */
export class Shell {
  #bash: ChildProcessWithoutNullStreams | undefined

  /** What a command prints; one at a time. Rejects when the shell ends. */
  async run(command: string): Promise<string> {
    this.#bash ??= spawn('bash', [], { stdio: 'pipe' })
    const { stdin, stdout } = this.#bash
    stdin.write(`(\n${command}\n) </dev/null; printf '\\0'\n`)
    let printed = ''
    for await (const part of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      printed += part
      if (printed.endsWith(END)) return printed.slice(0, -END.length)
    }
    throw new Error(`The shell ended after it had printed: ${printed}`)
  }

  close(): void {
    this.#bash?.kill()
  }
}
