/** `price_variant` → `price variant`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

/** `order_item` → `an order item`, `user` → `a user`. */
export function aOrAn(name: string): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${inWords(name)}`
}
