import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastMessageTo } from '../support/outbox.ts'
import { type Body, Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot, SCREENS } from './browser.ts'

const FIELDS = [
  { type: 'email', label: 'E-mail', required: true },
  { type: 'text', label: 'Name', placeholder: 'As your friends call you' },
  { type: 'textarea', label: 'What would you like to read?' },
  { type: 'number', label: 'Books a month' },
  { type: 'phone', label: 'Phone' },
  { type: 'select', label: 'Evening', options: ['Monday', 'Thursday'], required: true },
  { type: 'multi_select', label: 'Languages', options: ['English', 'Deutsch', '日本語'] },
  { type: 'checkbox', label: 'I have read the rules of the house', required: true },
  { type: 'date', label: 'First evening' },
  { type: 'url', label: 'Your page' },
]

inChromium('The page of a form in Chromium', (engine, openTab) => {
  const shop = new Shop()
  let form: Body

  beforeAll(async () => {
    await shop.open(engine, {})
    await shop.patch('/account', { name: 'Ada’s Books', support_email: 'help@adas-books.example' })
    const words = { description: 'We meet in the back room, every week.', success_message: 'See you soon.' }
    form = await shop.post('/forms', { name: 'Reading circle', fields: FIELDS, confirmation_required: true, ...words })
  })
  afterAll(() => shop.close())

  it.each(SCREENS)('has no fault that axe finds, from the question to the confirmation, on $name', async (screen) => {
    const { name, ...options } = screen
    const { page, complaints, close } = await openTab({ ...options, javaScriptEnabled: true })
    const isSound = async (state: string, words: string) => {
      expect(await page.textContent('main'), state).toContain(words)
      await keepScreenshot(page, `form-${state}-${name}`)
      expect([state, await axeProblems(page), await isTooWide(page), complaints]).toEqual([state, [], false, []])
    }
    const email = `${name}@example.com`
    await page.goto(form.url)
    await isSound('open', 'We meet in the back room')
    await page.click('button.primary')
    await isSound('problems', 'Please check what you entered')
    await page.fill('#answer-1', email)
    await page.selectOption('#answer-6', 'Thursday')
    await page.check('text=日本語')
    await page.check('#answer-8')
    await page.click('button.primary')
    await isSound('sent', 'Check your inbox')
    await page.goto(/http\S+\/forms\/confirm\/\S+/.exec(await lastMessageTo(shop, email))![0])
    await isSound('confirm', `The address ${email} was entered`)
    await page.click('button.primary')
    await isSound('confirmed', 'See you soon.')
    await close()
  })

  it('is answered without scripts, by keyboard alone', async () => {
    const { page, close } = await openTab({ javaScriptEnabled: false })
    const plain = await shop.post('/forms', { name: 'Newsletter' })
    await page.goto(plain.url)
    await page.focus('#answer-1')
    await page.keyboard.type('keys@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Thank you')
    const [submission] = (await shop.get(`/form_submissions?form=${plain.id}`)).data
    expect([submission.email, submission.name]).toEqual(['keys@example.com', 'Ada'])
    await close()
  })
})
