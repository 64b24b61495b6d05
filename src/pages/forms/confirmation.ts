import { accountOf } from '../../access/account-of.ts'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { requireRow } from '../../records/records.ts'
import { Form } from '../../resources/audience/form/form.ts'
import { CONFIRMATION_EVENTS, confirmSubmission } from '../../resources/audience/form-submission/confirm.ts'
import { FormSubmission } from '../../resources/audience/form-submission/form-submission.ts'
import { confirmationUrl, submissionIdOf } from '../../resources/audience/form-submission/secret.ts'
import { frameOf } from '../../resources/sales/checkout/sheet.ts'
import { type PageParts, pageAnswer, seeOther } from '../parts/parts.ts'
import { confirmPage, type ShownForm } from './document.ts'
import { thanksAnswer } from './form.ts'

interface ConfirmationRequest {
  shop: ShownForm['shop']
  form: Row<typeof Form>
  submission: Row<typeof FormSubmission>
  address: string
}

/** Returns null if the secret of the link is wrong. */
export async function confirmerOf(parts: PageParts, secret: string): Promise<VisitorCaller | null> {
  const id = submissionIdOf(parts, secret)
  const accountId = id === null ? null : await accountOf(parts.database.read, 'form_submissions', id)
  return id === null || accountId === null ? null : { kind: 'visitor', accountId, pageId: id }
}

export class ConfirmationPage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  get = async (caller: VisitorCaller): Promise<Response> => {
    const { shop, form, submission, address } = await this.#asked(caller)
    if (submission.confirmed) return thanksAnswer(shop, 'Your e-mail address is confirmed', form)
    return pageAnswer(confirmPage(shop, { address, email: submission.email ?? '', form: form.name }))
  }

  post = async (caller: VisitorCaller): Promise<Response> => {
    await this.#parts.pipeline.visits.act(caller, CONFIRMATION_EVENTS, async (context) =>
      confirmSubmission(context, await requireRow(context, FormSubmission, caller.pageId)),
    )
    return seeOther((await this.#asked(caller)).address)
  }

  #asked(caller: VisitorCaller): Promise<ConfirmationRequest> {
    return this.#parts.pipeline.visits.look(caller, async (context) => {
      const submission = await requireRow(context, FormSubmission, caller.pageId)
      const form = await requireRow(context, Form, submission.form)
      const { shop } = await frameOf(context)
      const address = new URL(confirmationUrl(context, submission.id)).pathname
      return { shop, form, submission, address }
    })
  }
}
