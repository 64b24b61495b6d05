import { invalid } from '../../../contract/declarations/errors.ts'
import type { FormField } from './form.ts'

/** A confirmation goes to an e-mail address, so the form must ask for one. Throws a 422. */
export function requireAddressToConfirm(form: { confirmation_required: boolean; fields: readonly FormField[] }): void {
  if (form.confirmation_required && !form.fields.some(({ type }) => type === 'email'))
    throw invalid({ confirmation_required: ['needs a field of type email to send the confirmation to'] })
}
