import { type Context, type Env, Hono } from 'hono'
import { Gate } from '../parts/gate.ts'
import { methodAnswer, type PageParts, type PageRequest, PostLimit } from '../parts/parts.ts'
import { AgreementPage, agreementVisitorOf } from './agreement.ts'
import { ConfirmationPage, confirmerOf } from './confirmation.ts'
import { FORM_STYLE } from './document.ts'
import { FormPage, visitorOf } from './form.ts'
import { FORM_REFUSALS } from './refusals.ts'

export interface FormPageParts extends PageParts {
  /** The form submissions allowed per minute. */
  formPosts: { perClient: number; perForm: number }
}

export function formPages<E extends Env>(
  parts: FormPageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const { perClient, perForm } = parts.formPosts
  const posts = new PostLimit('forms', parts, { ofClient: perClient, aboutOne: perForm })
  const gate = new Gate(parts, { posts, refusals: FORM_REFUSALS })
  const [forms, confirmations] = [new FormPage(parts), new ConfirmationPage(parts)]
  const agreements = new AgreementPage(parts)
  const visit = (context: Context<E>) => ({
    path: context.req.path,
    key: context.req.param('key')!,
    incoming: incomingOf(context),
  })

  app.get(FORM_STYLE.address, FORM_STYLE.answer)
  app.get('/forms/:key', (context) => gate.get(visit(context), visitorOf, forms.get))
  app.post('/forms/:key', (context) => gate.post(visit(context), visitorOf, forms.post))
  app.get('/forms/confirm/:key', (context) => gate.get(visit(context), confirmerOf, confirmations.get))
  app.post('/forms/confirm/:key', (context) => gate.post(visit(context), confirmerOf, confirmations.post))
  app.get('/forms/addresses/:key', (context) => gate.get(visit(context), agreementVisitorOf, agreements.get))
  app.post('/forms/addresses/:key', (context) => gate.post(visit(context), agreementVisitorOf, agreements.post))
  for (const path of ['/forms/:key', '/forms/confirm/:key', '/forms/addresses/:key'])
    app.all(path, (context) => methodAnswer(context.req.method))
  return app
}
