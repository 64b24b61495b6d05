import { type Client, headersOf } from './client-headers.ts'
import type { Cookies, People } from './people.ts'
import { refusedAsNull } from './refused-as-null.ts'

/** A passkey challenge, and the cookies that must be sent with it. */
export interface PasskeyChallenge {
  options: object
  cookies: Cookies
}

/** Returns a challenge that any passkey of the service can answer. */
export async function askForPasskey(people: People, client: Client): Promise<PasskeyChallenge> {
  const { api } = await people.authentication()
  const headers = headersOf(client)
  const answer = await api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true })
  return { options: answer.response, cookies: answer.headers.getSetCookie() }
}

/** Signs in with the browser's answer to a challenge. Returns the cookies of a new session, or null if the answer is invalid. */
export async function signInWithPasskey(people: People, client: Client, answered: object): Promise<Cookies | null> {
  const { api } = await people.authentication()
  const body = { response: answered as never }
  const answer = await refusedAsNull(() =>
    api.verifyPasskeyAuthentication({ body, headers: headersOf(client), returnHeaders: true }),
  )
  if (answer === null) return null
  await people.endEarlier(client)
  return answer.headers.getSetCookie()
}

/** Returns a challenge to create a passkey; null unless the person has signed in within the last day. */
export async function askForNewPasskey(people: People, client: Client): Promise<PasskeyChallenge | null> {
  const { api } = await people.authentication()
  const headers = headersOf(client)
  const answer = await refusedAsNull(() => api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true }))
  return answer && { options: answer.response, cookies: answer.headers.getSetCookie() }
}

/** Stores a new passkey. Returns false if the browser's answer does not match the challenge. */
export async function addPasskey(
  people: People,
  client: Client,
  { name, answered }: { name: string; answered: object },
): Promise<boolean> {
  const { api } = await people.authentication()
  const body = { name, response: answered }
  const headers = headersOf(client)
  return (await refusedAsNull(() => api.verifyPasskeyRegistration({ body, headers }))) !== null
}
