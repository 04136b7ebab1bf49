// Benchpost turns raw LLM-inference benchmark runs into reports.
package main

func main() {}
