# Gives back what is left of the last order that a customer paid. A second run goes on with the order before it.
email = "mara@example-works.com"
customer = get("/customers", email: email)["data"].first
return "No customer has the address #{email}." if customer.nil?

order = list("/orders", customer: customer["id"], status: ["succeeded", "partially_refunded"], amount: { gt: 0 }).first
return "#{email} has no order that could be refunded." if order.nil?

refund = post("/refunds", order: order["id"], reason: "requested_by_customer", notes: "Asked for it by phone.")
{ order: order["id"], refunded: refund["amount"], currency: refund["currency"], status: refund["status"] }
