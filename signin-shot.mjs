import { chromium } from 'playwright-core'
import { execFileSync } from 'node:child_process'
const base='http://localhost:4110'
const browser = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu','--disable-background-networking']})
const U = process.argv[2]
const signed = process.argv[3]
for (const scheme of ['light','dark']) for (const width of [320,1440]) {
  const ctx = await browser.newContext({colorScheme:scheme, viewport:{width,height: width===320?700:900}})
  const page = await ctx.newPage()
  const shot = async n => page.screenshot({path:`/tmp/signin-shots/${n}-${scheme}-${width}.png`, fullPage:true})
  await page.goto(base+'/sign-in'); await shot('signin')
  await page.click('button[type=submit]'); await page.waitForSelector('.problem'); await shot('refused')
  if (U) { await page.goto(U); await shot('welcome') }
  if (signed) {
    await page.goto(base+'/sign-in'); await page.fill('#email','ada@example.com'); await page.fill('#password','correct horse battery'); await page.click('button[type=submit]'); await page.waitForURL(/dashboard/)
    await page.goto(base+'/dashboard/my-shop/you'); await shot('you')
    console.log(width, await page.evaluate(()=>[...document.querySelectorAll('*')].filter(e=>e.getBoundingClientRect().right>innerWidth+1).map(e=>e.tagName+'.'+e.className).slice(0,10)))
    for (const p of (process.argv[4]??'').split(',').filter(Boolean)) { await page.goto(base+'/dashboard/my-shop'+p); await shot(p.replaceAll('/','_')) }
  }
  await ctx.close()
}
await browser.close()
