import { rehearse } from '../../support/rehearsal.ts'
import type { Shop } from '../../support/shop.ts'

export const GERMANY = { country: 'DE', percent: 19, name: 'VAT', inclusive: true }
export const FRANCE = { country: 'FR', percent: 20, name: 'TVA', inclusive: false }
const QUEBEC = [
  { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
  { country: 'CA', region: 'QC', percent: 9.975, name: 'QST' },
]
export const SHOP = { country: 'AT', vat_id: 'ATU13585627', tax_rates: [GERMANY, FRANCE, ...QUEBEC] }

/** Another account of the service, which charges tax. */
export async function taxed(shop: Shop, settings: Record<string, unknown> = SHOP): Promise<Shop> {
  const other = (await rehearse(shop)).shop
  await other.patch('/account', settings)
  return other
}
