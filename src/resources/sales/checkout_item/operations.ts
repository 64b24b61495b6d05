import { resource } from '../../../records/resource.ts'
import { CheckoutItem } from './checkout_item.ts'

export const checkoutItems = resource(CheckoutItem, {})
