import { type Client, headersOf } from './client.ts'
import type { Cookies, People } from './people.ts'
import { refusedAsNull } from './refused.ts'

/** What a browser is asked to do with a passkey, with the cookie that belongs to the question. */
export interface Question {
  options: object
  cookies: Cookies
}

/** Asks a browser for any passkey of the service. */
export async function askForPasskey(people: People, client: Client): Promise<Question> {
  const { api } = await people.authentication()
  const headers = headersOf(client)
  const answer = await api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true })
  return { options: answer.response, cookies: answer.headers.getSetCookie() }
}

/** Signs in with what the browser answered: the cookies of a new session, or null when it proves nothing. */
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

/** Asks a browser for a new passkey of whoever is signed in; null where nobody is, or not since a day ago. */
export async function askForNewPasskey(people: People, client: Client): Promise<Question | null> {
  const { api } = await people.authentication()
  const headers = headersOf(client)
  const answer = await refusedAsNull(() => api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true }))
  return answer && { options: answer.response, cookies: answer.headers.getSetCookie() }
}

/** Keeps the passkey that the browser has made. False when it is not what was asked for. */
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
