import { resource } from '../../../records/resource.ts'
import { CheckoutItem } from './checkout-item.ts'

export const checkoutItems = resource(CheckoutItem, {})
