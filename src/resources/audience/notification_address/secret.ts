import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { NotificationAddress } from './notification_address.ts'

/** The page on which the owner of an address agrees to notifications. Its address is a capability. */
export function agreementUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/forms/addresses/', secretOf(context, NotificationAddress, id))
}

/** The id of the address that a secret is of, or null when it is not the right one. */
export function addressIdOf(context: Pick<Context, 'services'>, secret: string): string | null {
  return idOfSecret(context, NotificationAddress, secret)
}
