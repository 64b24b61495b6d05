import { PASSKEY_NAME_LENGTH } from '../../access/people/limits.ts'
import {
  addPasskey,
  askForNewPasskey,
  askForPasskey,
  signInWithPasskey,
} from '../../access/people/passkey-ceremonies.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { isPlainObject, jsonIn } from '../../contract/values/json.ts'
import { waitInWords } from '../../format/durations.ts'
import { ALWAYS } from '../parts/asset.ts'
import { FORM_LIMIT_BYTES } from '../parts/form.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { ownPath, type SignInPageParts, withCookies } from './own-path.ts'

const MAX_PASSKEYS = 20

/** The endpoints that the passkey scripts call. They accept only JSON from our own pages, which forms cannot send. */
export class PasskeyAddresses extends PageOf<SignInPageParts> {
  readonly #tries = new AttemptLimit('passkeys', this.parts)

  get addresses(): Record<string, (_: unknown, incoming: PageRequest) => Promise<Response>> {
    return {
      '/sign-in/passkey/question': this.#question,
      '/sign-in/passkey': this.#signIn,
      '/sign-in/passkey/new/question': this.#newQuestion,
      '/sign-in/passkey/new': this.#add,
    }
  }

  #question = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    await this.#read(incoming)
    const wait = await this.#tries.ofClient(incoming.address)
    if (wait > 0) return refusal(429, `Too many attempts. Try again in ${waitInWords(wait)}.`)
    const { options, cookies } = await askForPasskey(this.parts.people, incoming)
    return withCookies(json(options), cookies)
  }

  #signIn = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    const { answered, next } = await this.#read(incoming)
    const cookies = isPlainObject(answered) && (await signInWithPasskey(this.parts.people, incoming, answered))
    if (!cookies) return refusal(422, 'This passkey is not registered here, or the request timed out. Try again.')
    return withCookies(json({ path: ownPath(typeof next === 'string' ? next : null) }), cookies)
  }

  #newQuestion = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    await this.#read(incoming)
    const { people } = this.parts
    const person = await people.personOf(incoming.header)
    if (person && (await people.passkeys.list(person.userId)).length >= MAX_PASSKEYS)
      return refusal(422, `You already have ${MAX_PASSKEYS} passkeys. Delete one first.`)
    const question = person && (await askForNewPasskey(people, incoming))
    if (!question) return refusal(403, 'You signed in more than a day ago. Sign in again to add a passkey.')
    return withCookies(json(question.options), question.cookies)
  }

  #add = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    const { answered, name } = await this.#read(incoming)
    const called = typeof name === 'string' ? name.trim().slice(0, PASSKEY_NAME_LENGTH) : ''
    const added =
      isPlainObject(answered) &&
      (await addPasskey(this.parts.people, incoming, { name: called || 'Passkey', answered }))
    return added ? json({}) : refusal(422, 'The passkey could not be added. Try again.')
  }

  /** Reads a JSON object; any other body counts as an empty object. Throws `unsupported_media_type` or `request_too_large`. */
  async #read({ request, header, address }: PageRequest): Promise<Record<string, unknown>> {
    if (header('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
      throw new ApiError('unsupported_media_type', 'This takes application/json.')
    const body = { request, header, accountId: `forms of ${address}`, limitBytes: FORM_LIMIT_BYTES }
    return this.parts.bodies.read(body, (bytes) => {
      const value = jsonIn(new TextDecoder().decode(bytes))
      return isPlainObject(value) ? value : {}
    })
  }
}

function json(value: object, status = 200): Response {
  return Response.json(value, { status, headers: { ...ALWAYS, 'Cache-Control': 'no-store' } })
}

function refusal(status: number, message: string): Response {
  return json({ message }, status)
}
