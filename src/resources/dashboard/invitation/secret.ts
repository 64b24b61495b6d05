import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { Invitation } from './invitation.ts'

/** The page on which whoever was invited joins. Its address is a capability, of which nothing is stored. */
export function invitationUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/invitations/', secretOf(context, Invitation, id))
}

/** The id of the invitation that a secret is of, or null when it is not the right one. */
export function invitationIdOf(context: Pick<Context, 'services'>, secret: string): string | null {
  return idOfSecret(context, Invitation, secret)
}
