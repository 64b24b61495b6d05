import { Parser } from 'htmlparser2'
import { expect } from 'vitest'
import { UNNAMED_OWNER } from '../../src/resources/company/account/life/open.ts'
import type { RunningApp } from './app.ts'

/** A response of the server to a browser. */
export interface PageAnswer {
  status: number
  html: string
  headers: Headers
  /** The target of a redirect without the origin of the service; null if there is no redirect. */
  location: string | null
}

export const PASSWORD = 'a password that only tests know'

/** A person whose browser stores cookies but runs no scripts. */
export class Person {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  constructor({ url }: Pick<RunningApp, 'url'>) {
    this.#url = url
  }

  /** The cookies in the format of the browser tests. */
  get cookies(): { name: string; value: string; url: string }[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url: this.#url }))
  }

  /** Opens a page without following redirects. */
  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#send(path, { method: 'GET', headers })
  }

  /** Submits the form of the page at `from` with its current values, except for these fields. */
  async submit(from: string, fields: Record<string, string>, to = from): Promise<PageAnswer> {
    const { html } = await this.get(from)
    return this.post(to, { ...fieldsOf(html, to), ...fields })
  }

  /** Sends a form with these fields only. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.postForm(path, new URLSearchParams(fields), headers)
  }

  /** Like `post`, for a form with several values of the same name. */
  postForm(path: string, form: URLSearchParams, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    return this.#send(path, { method: 'POST', headers: { ...type, ...headers }, body: form.toString() })
  }

  /** Sends a form with files. */
  upload(path: string, form: FormData, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#send(path, { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin', ...headers }, body: form })
  }

  async #send(path: string, { headers, ...request }: RequestInit & { headers: Record<string, string> }) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { ...headers, ...(cookie !== '' && { Cookie: cookie }) }
    const answer = await fetch(`${this.#url}${path}`, { ...request, headers: all, redirect: 'manual' })
    for (const given of answer.headers.getSetCookie()) this.#keep(given)
    const location = answer.headers.get('location')?.replace(this.#url, '') ?? null
    return { status: answer.status, html: await answer.text(), headers: answer.headers, location }
  }

  #keep(given: string): void {
    const [pair = '', ...attributes] = given.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    if (attributes.some((one) => /^max-age=0$/i.test(one))) this.#cookies.delete(name)
    else this.#cookies.set(name, pair.slice(name.length + 1))
  }
}

/** Returns the fields that a browser would submit for the unchanged form with action `to`. */
export function fieldsOf(html: string, to: string): Record<string, string> {
  const fields: Record<string, string> = {}
  let [inForm, textarea, select] = [false, '', '']
  const parser = new Parser({
    onopentag(tag, { name = '', action, type = 'text', value = '', ...attributes }) {
      if (tag === 'form') inForm = action === undefined || action === to
      if (!inForm) return
      if (tag === 'textarea') [textarea, fields[name]] = [name, '']
      if (tag === 'select') select = name
      const isChosen = tag === 'option' && (attributes.selected !== undefined || fields[select] === undefined)
      if (isChosen && select !== '') fields[select] = value
      const isSent = !['submit', 'button', 'file'].includes(type)
      const isOff = ['checkbox', 'radio'].includes(type) && attributes.checked === undefined
      // If several inputs have the same name, one with a value takes precedence.
      if (tag === 'input' && name !== '' && isSent && !isOff) fields[name] = value || (fields[name] ?? '')
    },
    ontext(text) {
      if (textarea !== '') fields[textarea] += text
    },
    onclosetag(tag) {
      // HTML ignores a line break right after the opening tag.
      if (tag === 'textarea' && textarea !== '') {
        fields[textarea] = fields[textarea]!.replace(/^\n/, '')
        textarea = ''
      }
      if (tag === 'select') select = ''
      if (tag === 'form') inForm = false
    },
  })
  parser.end(html)
  return fields
}

/** Signs in as a user, after setting a password. */
export async function signIn({ app, url }: RunningApp, userId?: string): Promise<Person> {
  const id = userId ?? app.firstAccount!.userId
  const link = await app.people.makePasswordUrl(id)
  const person = new Person({ url })
  const path = new URL(link).pathname
  const answer = await person.submit(path, { ...(userId === undefined && UNNAMED_OWNER), password: PASSWORD })
  expect(answer.status).toBe(303)
  return person
}
