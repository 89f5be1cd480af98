package main

func Example() {
	main()
	// Output: 32 <nil>
}
