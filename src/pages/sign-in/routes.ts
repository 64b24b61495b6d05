import { type Context, type Env, Hono } from 'hono'
import { Gate } from '../parts/gate.ts'
import { methodAnswer, type PageRequest, PostLimit } from '../parts/parts.ts'
import { ConfirmAddressPage, confirmationLinkOf, endedLinkAnswer } from './confirm-address.ts'
import { PASSKEY_SCRIPT, SIGN_IN_REFUSALS, SIGN_IN_STYLE } from './document.ts'
import { endedInvitationAnswer, InvitationPage, invitationLinkOf } from './invitation.ts'
import { PasskeyAddresses } from './passkeys.ts'
import { goneAnswer, PasswordPage, passwordLinkOf } from './password.ts'
import { ForgotPage, SignInPage } from './sign-in.ts'
import type { SignInPageParts } from './tries.ts'

export type { SignInPageParts } from './tries.ts'

/** GET shows the form, and POST submits it. */
const FORMS = ['/sign-in', '/forgot-password', '/set-password/:token', '/invitations/:token', '/confirm-address/:token']

/** Routes of the pages for people who are not signed in. */
export function signInPages<E extends Env>(
  parts: SignInPageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const limits = { ofClient: parts.postsPerMinute, aboutOne: Number.POSITIVE_INFINITY }
  const posts = new PostLimit('sign-in forms', parts, limits)
  const gate = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS })
  const links = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: goneAnswer })
  const invitations = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: endedInvitationAnswer })
  const addresses = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: endedLinkAnswer })
  const [signIn, forgot] = [new SignInPage(parts), new ForgotPage(parts)]
  const passkeys = new PasskeyAddresses(parts)
  const [password, invitation] = [new PasswordPage(parts), new InvitationPage(parts)]
  const confirmation = new ConfirmAddressPage(parts)
  const visit = (context: Context<E>) => ({
    path: context.req.path,
    key: context.req.param('token') ?? context.req.path,
    incoming: incomingOf(context),
  })

  app.get(SIGN_IN_STYLE.address, SIGN_IN_STYLE.answer)
  app.get(PASSKEY_SCRIPT.address, PASSKEY_SCRIPT.answer)
  for (const [path, answer] of Object.entries(passkeys.addresses))
    app.post(path, (context) => gate.post(visit(context), anybody, answer))
  app.get('/sign-in', (context) => gate.get(visit(context), anybody, signIn.get))
  app.post('/sign-in', (context) => gate.post(visit(context), anybody, signIn.post))
  app.post('/sign-out', (context) => gate.post(visit(context), anybody, signIn.signOut))
  const holder = (_: unknown, token: string) => passwordLinkOf(parts, token)
  app.get('/set-password/:token', (context) => links.get(visit(context), holder, password.get))
  app.post('/set-password/:token', (context) => links.post(visit(context), holder, password.post))
  const invited = (_: unknown, secret: string) => invitationLinkOf(parts, secret)
  app.get('/invitations/:token', (context) => invitations.get(visit(context), invited, invitation.get))
  app.post('/invitations/:token', (context) => invitations.post(visit(context), invited, invitation.post))
  const proving = (_: unknown, token: string) => confirmationLinkOf(parts, token)
  app.get('/confirm-address/:token', (context) => addresses.get(visit(context), proving, confirmation.get))
  app.post('/confirm-address/:token', (context) => addresses.post(visit(context), proving, confirmation.post))
  app.get('/forgot-password', (context) => gate.get(visit(context), anybody, forgot.get))
  app.post('/forgot-password', (context) => gate.post(visit(context), anybody, forgot.post))
  for (const path of FORMS) app.all(path, (context) => methodAnswer(context.req.method))
  app.all('/sign-out', (context) => methodAnswer(context.req.method, 'POST, OPTIONS'))
  return app
}

async function anybody() {
  return {}
}
