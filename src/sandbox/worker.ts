import { parentPort, workerData } from 'node:worker_threads'
import { Interpreter } from './interpreter.ts'
import type { RunMessage, WorkerInput } from './messages.ts'
import { WorkerChannel } from './worker-channel.ts'

const input = workerData as WorkerInput
const port = parentPort!
const channel = new WorkerChannel(input.channel, input.limits, (message) => port.postMessage(message))
const interpreter = new Interpreter(input, channel)

/**
 * A pause before restoring, so that the scheduler runs the main thread, which has just been given the outcome, first. When
 * programs follow each other closely the pause would only delay the next one.
 */
const STEP_ASIDE_MS = 0.1
const BUSY_MS = 1
let restedAt = 0
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Runs a program. Its outcome leaves before the interpreter is restored, so that nobody waits for the restoring. */
function run(program: RunMessage): void {
  const startedAt = performance.now()
  const busy = startedAt - restedAt < BUSY_MS
  channel.open(program)
  const ending = interpreter.run()
  const { spent } = interpreter
  port.postMessage(channel.close(ending, { durationMs: performance.now() - startedAt, spent }))
  if (!busy) Atomics.wait(pause, 0, 0, STEP_ASIDE_MS)
  if (!spent) interpreter.restore()
  restedAt = performance.now()
}

// The first program makes the engine compile the interpreter's functions, so it is one that nobody waits for.
channel.open({ kind: 'execute', code: '[1].map { |x| x.to_s }' })
interpreter.run()
interpreter.restore()

port.on('message', run)
port.postMessage({ type: 'ready' })
