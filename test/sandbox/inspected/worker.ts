import { parentPort, workerData } from 'node:worker_threads'
import type { GuestHost } from '../../../src/sandbox/import-table.ts'
import { Interpreter } from '../../../src/sandbox/interpreter.ts'
import type { Artefact } from '../../../src/sandbox/snapshot.ts'
import type { Inspection, InspectMessage } from './messages.ts'

const artefact = workerData as Artefact
const ANSWER = `A${JSON.stringify({ object: 'list', data: [{ id: 'prod_1', name: 'Tea' }], has_more: false })}`
const [FIRST_LETTER_OF_PROGRAM, FIRST_LETTER_OF_CALL, FIRST_LETTER_OF_RESULT] = Buffer.from('PCR')

/** Gives the guest its program and answers every call alike. */
class Host implements GuestHost {
  program = ''
  report: string | null = null
  #reply: Uint8Array = new Uint8Array()

  receive(message: Uint8Array): void {
    if (message[0] === FIRST_LETTER_OF_PROGRAM) this.#reply = Buffer.from(this.program)
    if (message[0] === FIRST_LETTER_OF_CALL) this.#reply = Buffer.from(ANSWER)
    if (message[0] === FIRST_LETTER_OF_RESULT) this.report = Buffer.from(message.slice(1)).toString()
  }

  reply(): Uint8Array {
    return this.#reply
  }
}

const host = new Host()
let interpreter = new Interpreter(artefact, host)

parentPort!.on('message', ({ kind, code, traces }: InspectMessage) => {
  host.program = `${kind}\n${code}`
  host.report = null
  const ending = interpreter.run()
  const found = count(traces)
  const { spent } = interpreter
  if (spent) interpreter = new Interpreter(artefact, host)
  else interpreter.restore()
  const inspection = { ending, report: host.report, found, left: count(traces), spent, difference: difference() }
  parentPort!.postMessage(inspection satisfies Inspection)
})
parentPort!.postMessage('ready')

function count(traces: Uint8Array[]): number {
  if (traces.length === 0) return 0
  const used = usedParts(Buffer.from(interpreter.guest.memory.bytes.buffer))
  return traces.filter((trace) => used.some((part) => part.includes(trace))).length
}

/** Most of a memory is zero, in which no trace begins. */
const BLOCK_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/** The stretches that are not zero, each with as much after it as a trace may end in. */
function usedParts(memory: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start: number | null = null
  for (let at = 0; at <= memory.length; at += BLOCK_BYTES) {
    const isUsed = at < memory.length && ZEROS.compare(memory, at, at + BLOCK_BYTES) !== 0
    if (isUsed) start ??= at
    else if (start !== null) {
      parts.push(memory.subarray(start, at + BLOCK_BYTES))
      start = null
    }
  }
  return parts
}

/** Compares every byte with the snapshot; whatever marks the pages, this does not depend on it. */
function difference(): string | null {
  const { memory, globals } = interpreter.guest
  const { snapshot } = artefact
  const bytes = Buffer.from(memory.bytes.buffer)
  if (!bytes.equals(Buffer.from(snapshot.memory))) return `memory at ${firstDifference(bytes)}`
  if (globals.some((global, index) => global.value !== snapshot.globals[index])) return 'a global'
  return memory.marks.includes(1) ? 'a mark' : null
}

function firstDifference(bytes: Buffer): number {
  const expected = Buffer.from(artefact.snapshot.memory)
  return bytes.findIndex((byte, index) => byte !== expected[index])
}
