import { parentPort, workerData } from 'node:worker_threads'
import { Interpreter } from './interpreter.ts'
import type { RunMessage, WorkerInput } from './messages.ts'
import { WorkerChannel } from './worker-channel.ts'

const input = workerData as WorkerInput
const port = parentPort!
const channel = new WorkerChannel(input.channel, input.limits, (message) => port.postMessage(message))
const interpreter = new Interpreter(input, channel)

/** The answer leaves first; cleaning up happens while the caller already reads it. */
function run(program: RunMessage): void {
  const startedAt = performance.now()
  channel.open(program)
  const ending = interpreter.run()
  const { spent } = interpreter
  port.postMessage(channel.close(ending, { durationMs: performance.now() - startedAt, spent }))
  if (!spent) interpreter.restore()
}

// The first program compiles the interpreter's functions; nobody should wait for that.
channel.open({ kind: 'execute', code: '[1].map { |x| x.to_s }' })
interpreter.run()
interpreter.restore()

port.on('message', run)
port.postMessage({ type: 'ready' })
