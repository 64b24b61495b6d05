import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from '../runtime/collect-garbage.ts'
import { Interpreter } from './interpreter.ts'
import type { WorkerInput } from './messages.ts'
import { WorkerChannel } from './worker-channel.ts'

const WARM_UP = 'execute\n[1].map { |x| x.to_s }'

/** Lowers the thread's priority, so that requests take precedence over programs. Only Linux can set the priority of a single thread. */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

const input = workerData as WorkerInput
const port = parentPort!
const channel = new WorkerChannel(input.channel, input.limits, (message) => port.postMessage(message))
const interpreter = new Interpreter(input, channel)

// The first program makes the engine compile the interpreter's functions, so one runs before any caller waits.
channel.open(Buffer.from(WARM_UP))
interpreter.run()
channel.close(null, false)
interpreter.restore()
collectGarbage()

export function serve(): void {
  port.postMessage({ type: 'ready' })
  while (run());
}

/** Runs one program. Returns false if it was the last. The outcome is sent first, so that callers do not wait for the restore. */
function run(): boolean {
  const ending = interpreter.run()
  const { spent } = interpreter
  port.postMessage(channel.close(ending, spent))
  if (!spent) interpreter.restore()
  return !spent
}
