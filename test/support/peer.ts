import { type ChildProcess, fork } from 'node:child_process'

/** A running program of `peers/`. */
export interface Peer {
  /** The line that it printed when it was ready. */
  said: string
  tell(message: object): void
  /** Sends a message and resolves with the reply. Do not send another one before. */
  ask(message: object): Promise<unknown>
  close(): Promise<void>
}

/** Starts a program of `peers/` and waits until it prints its address. */
export async function startPeer(script: string, options: object): Promise<Peer> {
  const child = fork(script, [JSON.stringify(options)], { silent: true })
  const said = await started(child)
  const close = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  const tell = (message: object) => void child.send(message)
  const ask = (message: object) => {
    const answer = new Promise((resolve) => child.once('message', resolve))
    tell(message)
    return answer
  }
  return { said, tell, ask, close }
}

function started(child: ChildProcess): Promise<string> {
  let complaints = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (words) => String(words).startsWith('http') && resolve(String(words).trim()))
    child.stderr?.on('data', (words) => {
      complaints += words
    })
    child.once('exit', () => reject(new Error(`The peer did not start: ${complaints.slice(-2_000)}`)))
  })
}
