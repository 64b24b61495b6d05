import { type Env, Hono } from 'hono'
import { html } from 'hono/html'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { requireRow } from '../../records/records.ts'
import { Form } from '../../resources/audience/form/form.ts'
import { FormSubmission } from '../../resources/audience/form-submission/form-submission.ts'
import { confirmationUrl, submissionIdOf } from '../../resources/audience/form-submission/jobs.ts'
import { CONFIRMATION_EVENTS, confirmSubmission } from '../../resources/audience/form-submission/submit.ts'
import {
  addressIdOf,
  agreementUrl,
  agreeToNotifications,
  isOpen,
} from '../../resources/audience/notification-address/ask.ts'
import { NotificationAddress } from '../../resources/audience/notification-address/notification-address.ts'
import { frameOf } from '../../resources/sales/checkout/sheet.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import { PostLimit } from '../parts/form.ts'
import { formAdder, Gate, visitorBy, visitsBy } from '../parts/gate.ts'
import { PageOf, type PageParts, type RequestOf } from '../parts/page-parts.ts'
import { confirmPage, FORM_REFUSALS, FORM_STYLE, wordsPage } from './document.ts'
import { FormPage, thanksAnswer, visitorOf } from './form.ts'

export interface FormPageParts extends PageParts {
  /** The form submissions allowed per minute. */
  formPosts: { perClient: number; perForm: number }
}

export function formPages<E extends Env>(parts: FormPageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const { perClient, perForm } = parts.formPosts
  const posts = new PostLimit('forms', parts, { ofClient: perClient, aboutOne: perForm })
  const gate = new Gate(parts, { posts, refusals: FORM_REFUSALS })
  const add = formAdder(app, visitsBy(incomingOf))

  app.get(FORM_STYLE.address, FORM_STYLE.answer)
  add('/forms/:key', { gate, find: visitorOf, page: new FormPage(parts) })
  add('/forms/confirm/:key', { gate, find: confirmerOf, page: new ConfirmationPage(parts) })
  add('/forms/addresses/:key', { gate, find: agreementVisitorOf, page: new AgreementPage(parts) })
  return app
}

const agreementVisitorOf = visitorBy('notification_addresses', addressIdOf)

/** The page where the owner of an email address agrees to notifications about submissions. GET changes nothing. */
class AgreementPage extends PageOf<PageParts> {
  get = async (caller: VisitorCaller): Promise<Response> => {
    const { shop, row, open, address } = await this.#asked(caller)
    if (open) {
      const words = html`${shop.name} wants to notify <strong>${row.address}</strong> of each form submission.`
      return pageAnswer(confirmPage(shop, 'Confirm this address', address, words))
    }
    if (row.confirmed_at !== null) {
      const words = `${shop.name} will notify ${row.address} of each form submission.`
      return pageAnswer(wordsPage(shop, { title: 'The address is confirmed', words }))
    }
    const words = 'No notifications are sent to this address yet. The next submission sends a new link.'
    return pageAnswer(wordsPage(shop, { title: 'The link has expired', words }), { status: 410 })
  }

  post = async (caller: VisitorCaller): Promise<Response> => {
    await this.parts.pipeline.visits.act(caller, [], async (context) =>
      agreeToNotifications(context, await requireRow(context, NotificationAddress, caller.pageId)),
    )
    return seeOther((await this.#asked(caller)).address)
  }

  #asked(caller: VisitorCaller) {
    return this.parts.pipeline.visits.look(caller, async (context) => {
      const row = await requireRow(context, NotificationAddress, caller.pageId)
      const { shop } = await frameOf(context)
      const address = new URL(agreementUrl(context, row.id)).pathname
      return { shop, row, open: isOpen(context, row), address }
    })
  }
}

const confirmerOf = visitorBy('form_submissions', submissionIdOf)

class ConfirmationPage extends PageOf<PageParts> {
  get = async (caller: VisitorCaller): Promise<Response> => {
    const { shop, form, submission, address } = await this.#asked(caller)
    if (submission.confirmed) return thanksAnswer(shop, 'Your e-mail address is confirmed', form)
    const words = html`The address <strong>${submission.email}</strong> was entered in the form “${form.name}”. Please confirm that it was you.`
    return pageAnswer(confirmPage(shop, 'Confirm your e-mail address', address, words))
  }

  post = async (caller: VisitorCaller): Promise<Response> => {
    await this.parts.pipeline.visits.act(caller, CONFIRMATION_EVENTS, async (context) =>
      confirmSubmission(context, await requireRow(context, FormSubmission, caller.pageId)),
    )
    return seeOther((await this.#asked(caller)).address)
  }

  #asked(caller: VisitorCaller) {
    return this.parts.pipeline.visits.look(caller, async (context) => {
      const submission = await requireRow(context, FormSubmission, caller.pageId)
      const form = await requireRow(context, Form, submission.form)
      const { shop } = await frameOf(context)
      const address = new URL(confirmationUrl(context, submission.id)).pathname
      return { shop, form, submission, address }
    })
  }
}
