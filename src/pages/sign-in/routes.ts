import { type Context, type Env, Hono } from 'hono'
import { Gate } from '../parts/gate.ts'
import { PostLimit } from '../parts/guard.ts'
import type { PageRequest } from '../parts/parts.ts'
import { methodAnswer } from '../parts/refusals.ts'
import type { SignInPageParts } from './parts.ts'
import { goneAnswer, holderOf, PasswordPage } from './password.ts'
import { SIGN_IN_REFUSALS } from './refusals.ts'
import { SignInPage } from './sign-in.ts'
import { SIGN_IN_STYLE } from './stylesheet.ts'

export type { SignInPageParts } from './parts.ts'

/** The pages of people who are not signed in. `incomingOf` says whose request it is. */
export function signInPages<E extends Env>(
  parts: SignInPageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const posts = new PostLimit(parts.postsPerMinute, Number.MAX_SAFE_INTEGER)
  const gate = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS })
  const links = new Gate(parts, { posts, refusals: SIGN_IN_REFUSALS, unknown: goneAnswer })
  const [signIn, password] = [new SignInPage(parts), new PasswordPage(parts)]
  const visit = (context: Context<E>) => ({
    path: context.req.path,
    key: context.req.param('token') ?? context.req.path,
    incoming: incomingOf(context),
  })

  app.get(SIGN_IN_STYLE.address, SIGN_IN_STYLE.answer)
  app.get('/sign-in', (context) => gate.get(visit(context), anybody, signIn.get))
  app.post('/sign-in', (context) => gate.post(visit(context), anybody, signIn.post))
  app.post('/sign-out', (context) => gate.post(visit(context), anybody, signIn.signOut))
  const holder = (_: unknown, token: string) => holderOf(parts, token)
  app.get('/set-password/:token', (context) => links.get(visit(context), holder, password.get))
  app.post('/set-password/:token', (context) => links.post(visit(context), holder, password.post))
  for (const path of ['/sign-in', '/set-password/:token']) app.all(path, (context) => methodAnswer(context.req.method))
  app.all('/sign-out', (context) => methodAnswer(context.req.method, 'POST, OPTIONS'))
  return app
}

async function anybody(): Promise<object> {
  return {}
}
