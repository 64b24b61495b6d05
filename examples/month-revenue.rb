# What each product brought in this month, after discounts and refunds. The month is one of the account's time zone.
this_month = month

revenue = Hash.new(0)
list("/order_items", paid_at: this_month).each do |item|
  revenue[[item["product"], item["currency"]]] += item["amount"] - item["amount_refunded"]
end

best_first = revenue.sort_by { |_, amount| -amount }.map do |(product, currency), amount|
  { product: get("/products/#{product}")["name"], currency: currency, amount: amount }
end
{ from: this_month.begin, to: this_month.end, revenue: best_first }
