import { MOST_SKEW_MS } from '../network.ts'
import { type Credentials, type PublishRequest, progressIn } from '../provider.ts'

/** The values that the attempts of one request store for later attempts. */
export interface Memory {
  get(name: string): string | undefined
  note(more: Credentials): Promise<void>
}

export function memoryOf(request: PublishRequest): Memory {
  const { known, keep } = progressIn(request)
  return memoryWith(known, keep)
}

/** Returns a memory for requests without stored progress; its values are lost after this attempt. */
export function shortMemory(): Memory {
  return memoryWith({}, async () => {})
}

function memoryWith(known: Credentials, keep: (values: Credentials) => Promise<void>): Memory {
  let all = known
  return {
    get: (name) => all[name],
    async note(more) {
      const next = { ...all, ...more }
      await keep(next)
      all = next
    },
  }
}

/** Stores the time of a request that must not be sent twice, unless an earlier attempt stored it. */
export async function noteMoment(memory: Memory, name: string): Promise<void> {
  if (memory.get(name) === undefined) await memory.note({ [name]: new Date().toISOString() })
}

/** Returns whether an object of the network is recent enough to result from a request that was sent at the stored time. */
export function isSince(time: string | undefined, noted: string | undefined): boolean {
  return time !== undefined && noted !== undefined && Date.parse(time) >= Date.parse(noted) - MOST_SKEW_MS
}

/** Compares texts, ignoring differences in white space. */
export function sameWords(one: string | null | undefined, other: string): boolean {
  return inOneLine(one ?? '') === inOneLine(other)
}

function inOneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

export function linkIn(text: string): string | null {
  return /https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()\]}]/i.exec(text)?.[0] ?? null
}
