import { type Env, Hono } from 'hono'
import { methodAnswer } from '../parts/answers.ts'
import { PostLimit } from '../parts/form.ts'
import { formAdder, Gate, visitsBy } from '../parts/gate.ts'
import type { RequestOf } from '../parts/page-parts.ts'
import { ConfirmAddressPage, confirmationLinkOf, endedLinkAnswer } from './confirm-address.ts'
import { PASSKEY_SCRIPT, SIGN_IN_REFUSALS, SIGN_IN_STYLE } from './document.ts'
import { endedInvitationAnswer, InvitationPage, invitationLinkOf } from './invitation.ts'
import type { SignInPageParts } from './own-path.ts'
import { PasskeyAddresses } from './passkeys.ts'
import { goneAnswer, PasswordPage, passwordLinkOf } from './password.ts'
import { ForgotPage, SignInPage } from './sign-in.ts'

export type { SignInPageParts } from './own-path.ts'

/** Routes of the pages for people who are not signed in. */
export function signInPages<E extends Env>(parts: SignInPageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const limits = { ofClient: parts.postsPerMinute, aboutOne: Number.POSITIVE_INFINITY }
  const posts = new PostLimit('sign-in forms', parts, limits)
  const gate = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS })
  const links = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: goneAnswer })
  const invitations = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: endedInvitationAnswer })
  const addresses = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: endedLinkAnswer })
  const signIn = new SignInPage(parts)
  const visit = visitsBy(incomingOf)
  const add = formAdder(app, visit)

  app.get(SIGN_IN_STYLE.address, SIGN_IN_STYLE.answer)
  app.get(PASSKEY_SCRIPT.address, PASSKEY_SCRIPT.answer)
  for (const [path, answer] of Object.entries(new PasskeyAddresses(parts).addresses))
    app.post(path, (context) => gate.post(visit(context), anybody, answer))
  add('/sign-in', { gate, find: anybody, page: signIn })
  app.post('/sign-out', (context) => gate.post(visit(context), anybody, signIn.signOut))
  app.all('/sign-out', (context) => methodAnswer(context.req.method, 'POST, OPTIONS'))
  add('/forgot-password', { gate, find: anybody, page: new ForgotPage(parts) })
  const holder = (_: unknown, token: string) => passwordLinkOf(parts, token)
  add('/set-password/:key', { gate: links, find: holder, page: new PasswordPage(parts) })
  const invited = (_: unknown, secret: string) => invitationLinkOf(parts, secret)
  add('/invitations/:key', { gate: invitations, find: invited, page: new InvitationPage(parts) })
  const proving = (_: unknown, token: string) => confirmationLinkOf(parts, token)
  add('/confirm-address/:key', { gate: addresses, find: proving, page: new ConfirmAddressPage(parts) })
  return app
}

async function anybody() {
  return {}
}
