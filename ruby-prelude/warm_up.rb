# Programs that run before the snapshot is taken, to fill Ruby's method caches for what most programs do. Lines of dashes separate them.
tools.select { |t| t[:parameters].any? { |p| p["name"] == "status" } }.map { |t| "#{t[:method]} #{t[:path]}" }
--------
tools.group_by { |t| t[:tags].first }.transform_values(&:size).sort_by(&:last).to_h
--------
get("/products", limit: 100)["data"].map { |p| p["name"] }
--------
list("/products", status: "draft").map { |p| p["id"] }
--------
page = get("/products")
page["data"].each { |p| patch("/products/#{p[:id]}", { status: "archived" }) if p["status"] == "draft" }
made = post("/products", name: "Tea", tags: ["a"], price: 1.5, active: true, note: nil)
puts made["id"]
delete("/products/#{made["id"]}")
{ id: made["id"], count: page["data"].sum { |p| p["count"] }, at: Time.at(0), list: (1..3).map(&:to_s), more: page["has_more"] }
--------
describe("refund part of an order", "order")
--------
raise "stop"
--------
get("/products")["nothing"].upcase
