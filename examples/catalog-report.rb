# What is in the shop: products by status, what they cost, and what keeps them from being sold.
products = list("/products").to_a

amounts = products.flat_map { |product| product["price_variants"] }
                  .select { |price| price["amount_type"] == "fixed" }
                  .group_by { |price| price["currency"] }
                  .transform_values { |prices| prices.map { |price| price["amount"] }.minmax }

{
  products: products.size,
  by_status: products.map { |product| product["status"] }.tally,
  cheapest_and_dearest: amounts,
  active_without_price: products.select { |product| product["status"] == "active" && product["price_variants"].empty? }
                                .map { |product| product["name"] },
  without_description: products.count { |product| product["description"].nil? }
}
