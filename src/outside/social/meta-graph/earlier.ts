import { type Credentials, type PublishRequest, progressIn } from '../provider.ts'
import { isRefused, orElse } from '../refused.ts'

/** The clocks of a network and of this service may differ by so much. */
const SKEW_MS = 2 * 60 * 1000

/** What tries of one request have noted, and what this one adds. */
export interface Memory {
  get(name: string): string | undefined
  note(more: Credentials): Promise<void>
}

export function memoryOf(request: PublishRequest): Memory {
  const { known, keep } = progressIn(request)
  return memoryWith(known, keep)
}

/** For what has no place to be kept in: it ends with this try. */
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

/** Notes when something is asked for that must not be asked twice. */
export async function noteMoment(memory: Memory, name: string): Promise<void> {
  if (memory.get(name) === undefined) await memory.note({ [name]: new Date().toISOString() })
}

/** Whether something of the network, by its time there, can be what was asked for at a moment that was noted. */
export function isSince(time: string | undefined, noted: string | undefined): boolean {
  return time !== undefined && noted !== undefined && Date.parse(time) >= Date.parse(noted) - SKEW_MS
}

/** For comparing: without regard to white space. */
export function sameWords(one: string | null | undefined, other: string): boolean {
  return inOneLine(one ?? '') === inOneLine(other)
}

function inOneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Null where the network refuses a first comment: the post is out, and must not be sent again for it. */
export function orNoComment(asked: Promise<string>): Promise<string | null> {
  return orElse(asked, null, isRefused)
}

export function linkIn(text: string): string | null {
  return /https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()\]}]/i.exec(text)?.[0] ?? null
}
