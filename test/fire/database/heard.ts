import type { Answer } from '../../support/request.ts'

/** Longest that a `Retry-After` may ask to wait, in seconds. */
const LONGEST_RETRY = 60

/** What clients were answered, and what was wrong with it. */
export class Heard {
  readonly counts = new Map<string, number>()
  /** Refusals that are not in the contract's shape, with what was said. */
  readonly wrong: string[] = []
  longestMs = 0
  #refusedSince: number | null = null
  #refusedMs = 0

  /** `probe`: it is by these answers that the time of refusal is measured. */
  note(
    name: string,
    answer: Pick<Answer, 'status' | 'body' | 'text' | 'headers'>,
    { beganMs, probe = false }: { beganMs: number; probe?: boolean },
  ): void {
    const now = performance.now()
    this.longestMs = Math.max(this.longestMs, now - beganMs)
    const refused = answer.status >= 500
    const said = refused
      ? `${answer.status} ${answer.body?.error?.code ?? ''}`
      : answer.status < 400
        ? 'ok'
        : String(answer.status)
    this.counts.set(said, (this.counts.get(said) ?? 0) + 1)
    if (refused && !isInShape(answer)) this.wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`)
    if (probe) this.#measure(refused, now)
  }

  #measure(refused: boolean, now: number): void {
    if (refused) this.#refusedSince ??= now
    else if (this.#refusedSince !== null) {
      this.#refusedMs += now - this.#refusedSince
      this.#refusedSince = null
    }
  }

  /** Seconds in which the probe was refused, from the first refusal to the next answer. */
  get refusedSeconds(): number {
    return this.#refusedMs / 1000
  }
}

/** A 503 that says when to come again, in the shape of the contract. */
function isInShape({ status, body, headers }: Pick<Answer, 'status' | 'body' | 'headers'>): boolean {
  const retry = Number(headers.get('retry-after') ?? Number.NaN)
  const { type, code, message } = body?.error ?? {}
  const isError = type === 'api_error' && typeof code === 'string' && typeof message === 'string'
  return status === 503 && isError && retry >= 1 && retry <= LONGEST_RETRY
}
