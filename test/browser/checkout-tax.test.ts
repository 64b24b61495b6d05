import { afterAll, beforeAll, expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot, SCREENS } from './browser.ts'

const RATES = [
  { country: 'DE', percent: 19, name: 'VAT', inclusive: true },
  { country: 'FR', percent: 20, name: 'TVA' },
  { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
]

inChromium('The country on the checkout page', (engine, openTab) => {
  const shop = new Shop()
  beforeAll(async () => {
    await shop.open(engine, {})
    await shop.patch('/account', { country: 'AT', tax_rates: RATES })
  })
  afterAll(() => shop.close())

  const opened = async () => {
    const price = await priceForSale(shop, { amount: 1190 })
    return shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email: 'ada@example.com' })
  }

  it('changes the total at once, and a VAT id takes the tax off when it is left', async () => {
    const { page, complaints, close } = await openTab(SCREENS[0]!)
    const open = await opened()
    await page.goto(open.url)
    expect(await page.isVisible('.apply')).toBe(false)
    await page.fill('#card', '4242424242424242')
    await page.focus('#place')
    await page.selectOption('#place', 'FR')
    await page.waitForSelector('.amount:has-text("$14.28")')
    expect(await page.textContent('.summary')).toContain('TVA 20%')
    expect(await page.textContent('button.primary')).toContain('Pay $14.28')
    expect(await page.evaluate('document.activeElement.id')).toBe('place')
    await page.fill('#vat_id', 'FR123')
    await page.press('#vat_id', 'Tab')
    await page.waitForSelector('text=they look like FR40303265045')
    await page.fill('#vat_id', 'FR40303265045')
    await page.press('#vat_id', 'Tab')
    await page.waitForSelector('.summary:has-text("Reverse charge")')
    expect(await page.isVisible('text=they look like')).toBe(false)
    await page.selectOption('#place', 'CA-QC')
    await page.waitForSelector('.amount:has-text("$12.50")')
    expect(await page.isVisible('#vat_id')).toBe(false)
    await keepScreenshot(page, 'checkout-tax')
    expect([await axeProblems(page), await isTooWide(page), complaints]).toEqual([[], false, []])
    await page.click('button.primary')
    await page.waitForSelector('text=Thank you for your order')
    expect(await shop.get(`/checkouts/${open.id}`)).toMatchObject({ status: 'complete', total: 1250, region: 'QC' })
    await close()
  })

  it('changes it by a button where no script runs', async () => {
    const { page, close } = await openTab({ javaScriptEnabled: false })
    await page.goto((await opened()).url)
    await page.selectOption('#place', 'FR')
    await page.click('text=Apply >> nth=-1')
    await page.waitForSelector('.amount:has-text("$14.28")')
    await close()
  })
})
