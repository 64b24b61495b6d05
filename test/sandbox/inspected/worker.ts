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
  const memory = Buffer.from(interpreter.guest.memory.bytes.buffer)
  return traces.filter((trace) => memory.includes(trace)).length
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
