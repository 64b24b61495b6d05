const NEW_NAME = 'max_completion_tokens'
const OPENAI = 'api.openai.com'

/** OpenAI's current models refuse `max_tokens` in favour of `max_completion_tokens`, which most other servers do not know. */
export function limitingAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const body = init?.body
    if (typeof body !== 'string') return fetch(input, init)
    const askAnew = () => fetch(input, { ...init, body: renamedIn(body) })
    if (new URL(String(input)).hostname === OPENAI) return askAnew()
    const answer = await fetch(input, init)
    const isRefused = answer.status === 400 && (await answer.clone().text()).includes(NEW_NAME)
    return isRefused ? askAnew() : answer
  }
}

function renamedIn(body: string): string {
  const { max_tokens, ...more } = JSON.parse(body)
  return JSON.stringify({ ...more, ...(max_tokens !== undefined && { [NEW_NAME]: max_tokens }) })
}
