/** The legal pages of the demo shop, by their slug. */
export const LEGAL: Readonly<Record<string, string>> = {
  'terms-of-service': `<p>These terms hold for everything that you buy from Kestrel Paper School, 14 Foundry Lane, Portland, Maine.</p>
<h2>Orders</h2>
<p>Your order is binding once you have paid. When a printing day has to be moved, we write to you two days before and offer another date or your money back.</p>
<h2>Delivery</h2>
<p>Nothing comes by post. What you buy opens at the link of your receipt, at once; printing days and the studio are in Portland.</p>
<h2>Subscriptions</h2>
<p>The Pattern Club and the Studio Membership renew by themselves until you cancel. You can cancel at any time and keep what you have paid for until the end of the period.</p>
<h2>Courses and downloads</h2>
<p>They are for you alone. Print as many copies for yourself as you like, and please do not pass the files on.</p>`,
  'privacy-policy': `<p>We keep as little about you as we can.</p>
<h2>What we keep</h2>
<ul><li>Your name, your address and what you have ordered, to send you your order and because the tax office wants us to.</li>
<li>What you write in our forms, to answer you.</li>
<li>Your e-mail address for the letter, if you have asked for it and confirmed it.</li></ul>
<h2>What we do not do</h2>
<p>We sell nothing of it, and we do not follow you around the web.</p>
<h2>Your rights</h2>
<p>Write to <a href="mailto:hello@kestrel-paper.example">hello@kestrel-paper.example</a>, and we tell you what we know about you, or delete it.</p>`,
  'refund-policy': `<p>Tell us within 30 days what you do not like, and we refund the price of a guide or a download.</p>
<h2>Printing days</h2>
<p>Give your seat back until two days before, and we refund all of it. After that, somebody else may come in your place.</p>
<h2>Courses</h2>
<p>Courses can be returned within 14 days, also when you have watched them.</p>
<h2>Subscriptions</h2>
<p>A month that has begun is paid. The next one is yours to cancel.</p>`,
}
