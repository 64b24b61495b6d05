import { expect, it } from 'vitest'
import { signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const PAGE = '/dashboard/my-shop/settings/tax'

onGateEngine((shop) => {
  it('shows on the settings of tax what each rate makes of a price, and says what is wrong with a rate', async () => {
    const person = await signIn(shop.running)
    expect(words((await person.get(PAGE)).html)).toContain('Without rates no tax is charged')
    const rate = { 'tax_rates.#': '0', 'tax_rates.0.country': 'DE', 'tax_rates.0.percent': '19' }
    const wrong = await person.submit(PAGE, { ...rate, 'tax_rates.0.name': 'VAT', 'tax_rates.0.region': 'BY' })
    expect(words(wrong.html)).toContain('is not known of Germany')
    const saved = await person.submit(PAGE, { ...rate, 'tax_rates.0.name': 'VAT', country: 'AT' })
    expect(saved.location).toBe(`${PAGE}?done=saved`)
    const shown = words((await person.get(PAGE)).html)
    for (const part of ['Germany', 'VAT 19%', '$1.90', '$11.90']) expect(shown).toContain(part)
    expect(await shop.get('/account')).toMatchObject({ country: 'AT', tax_rates: [{ country: 'DE', percent: 19 }] })
    expect(words((await person.get('/dashboard/my-shop/settings/account')).html)).not.toContain('Tax rates')
  })
})
