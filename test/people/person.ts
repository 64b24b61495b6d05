import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { SessionCaller } from '../../src/contract/declarations/caller.ts'
import type { FormOptions, Seen } from '../pages/visitor.ts'
import { Visitor } from '../pages/visitor.ts'
import type { Body, Shop } from '../support/shop.ts'

export const PASSWORD = 'correct horse battery staple'

/** Sends a form to an address as a browser does, whatever page it is from. */
export function send(
  visitor: Visitor,
  path: string,
  fields: Record<string, string>,
  { headers = {} }: FormOptions = {},
): Promise<Seen> {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return visitor.open(path, { method: 'POST', body, headers: { ...type, ...headers } })
}

/** The owner of the first account, with a password from the link of the first start. */
export async function ownerOf(shop: Shop, email = 'ada@example.com'): Promise<Visitor> {
  const visitor = new Visitor(shop.running.url)
  const url = await shop.running.app.people.makePasswordUrl(shop.running.app.firstAccount!.userId)
  const seen = await send(visitor, new URL(url).pathname, { name: 'Ada Lovelace', email, password: PASSWORD })
  if (seen.status !== 303) throw new Error(`The password was not set: ${seen.status} ${seen.text}`)
  return visitor
}

/** What is answered at signing in. */
export function signIn(visitor: Visitor, email: string, password = PASSWORD, next = ''): Promise<Seen> {
  return send(visitor, '/sign-in', { email, password, next })
}

/** The one session cookie of a browser, or undefined. */
export function sessionOf(visitor: Visitor) {
  const [found] = [...visitor.cookies].filter(
    ([name, { value }]) => name.includes('shopwright_session') && value !== '',
  )
  return found?.[1]
}

/** Whether the dashboard lets a browser in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  const { headers } = await visitor.open('/dashboard')
  return !(headers.get('location') ?? '').startsWith('/sign-in')
}

/** The texts of the messages that an address was sent, oldest first. */
export async function messagesTo(shop: Shop, address: string): Promise<string[]> {
  await shop.settled()
  const directory = join(shop.running.dataDirectory, 'outbox')
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const messages = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(directory, name)))))
  return messages.filter(({ to }) => to?.some((one) => one.address === address)).map(({ text }) => text!)
}

/** A passkey of a person that no device has. */
export async function addPasskey(shop: Shop, userId: string, created_at = '2026-01-01T00:00:00.000Z'): Promise<void> {
  const key = { public_key: 'x', credential_id: `of ${userId}`, counter: 0, device_type: 'singleDevice', backed_up: 0 }
  const row = { id: `passkey_${userId}`, user_id: userId, name: 'Theirs', ...key, created_at }
  await shop.running.app.database.transaction(({ db }) => db.insertInto('passkeys').values(row).execute())
}

/** Has a person sign in with an address that nobody has proven, as those of earlier versions could. */
export async function squat(shop: Shop, userId: string, email: string): Promise<void> {
  await shop.running.app.database.transaction(({ db }) =>
    db.updateTable('users').set({ email, email_verified: 0 }).where('id', '=', userId).execute(),
  )
}

/** Whether the address of a person is proven, and which it is. */
export async function addressOf(shop: Shop, userId: string): Promise<[string, boolean]> {
  const user = await shop.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  return [user.email, user.email_verified === 1]
}

/** The path of the first link of a message. */
export function linkIn(message: string): string {
  return new URL(/https?:\/\/\S+/.exec(message)![0]).pathname
}

/** An operation of the dashboard as a person of an account calls it. */
export async function ask(
  shop: Shop,
  {
    method,
    path,
    body,
    as,
  }: { method: string; path: string; body?: unknown; as: Omit<SessionCaller, 'kind' | 'sessionId'> },
): Promise<{ status: number; body: Body }> {
  const caller: SessionCaller = { kind: 'session', sessionId: 'sess_test', ...as }
  return shop.running.app.pipeline.runUnmetered({ method, path, query: {}, body, caller, dashboard: true })
}
