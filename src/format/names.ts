import { counted } from './counts.ts'

/** Returns a name as words: `price_variant` → `price variant`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

/** Returns a name as words with its article: `order_item` → `an order item`, `user` → `a user`. */
export function aOrAn(name: string): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${inWords(name)}`
}

/** Returns changes in words: `price_variant.updated`, 3 → `3 price variants updated`; `customer.created`, 1 → `1 customer created`. */
export function changeInWords(eventType: string, count: number): string {
  const [object = '', ...happened] = eventType.split('.')
  const name = inWords(object)
  return `${counted(count, name)} ${inWords(happened.join(' '))}`
}
